//! Reports as files for other programs: all numbers as JSON or as a table, and a row a game. `docs/formats.md` says what is what.

use super::figures::{Figures, Unit};
use super::game_seed;
use super::report::{Ended, Linked, LinkedWith, Report, seat_name};
use super::tally::Row;
use crate::json::{Json, Played, csv_field};
use crate::stats::written::decimal;
use crate::stats::{Distribution, Estimate, VICTORY_PARTS, luck, share};
use std::fmt::Write as _;

impl Report {
    /// Everything but the time: equal texts mean equal play.
    pub fn to_json(&self) -> String {
        let mut json = Json::new();
        json.object(|o| {
            self.write_head(o);
            let seats = 0..self.figures.players;
            o.key("seats")
                .array(|a| seats.for_each(|seat| self.write_seat(a, seat)));
            if let Some(turns) = self.turns() {
                o.key("turns");
                write_distribution(o, turns);
            }
            o.key("answers");
            write_distribution(o, self.answers());
            self.write_figures(o);
            self.write_uses(o);
            o.key("endings").array(|a| {
                for Ended {
                    how, said, games, ..
                } in &self.endings
                {
                    a.object(|e| {
                        e.key("how").string(how);
                        e.key("said").string(said);
                        e.key("games").number(*games);
                        let share = share(games * VICTORY_PARTS, self.games);
                        write_share(e.key("percent"), share);
                    });
                }
            });
            o.key("nobody_wins_percent")
                .decimal(self.mean(self.figures.nobody()).value, 2);
            o.key("endless").number(self.endless());
            self.write_extremes(o);
            self.write_never(o);
            o.key("links_asked").number(self.links_asked as u64);
            o.key("links").array(|a| {
                let links = self.linked.iter();
                links.for_each(|one| a.object(|l| write_link(l, one)));
            });
            o.key("findings").array(|a| {
                for finding in self.findings() {
                    a.object(|f| {
                        f.key("about").string(finding.kind.name());
                        f.key("text").string(&finding.text);
                        f.key("games").number(finding.games);
                        if let Some(luck) = finding.luck {
                            f.key("luck").decimal(luck::millionths(luck), 6);
                        }
                        f.key("stands_out").boolean(finding.stands_out);
                    });
                }
            });
        });
        json.finish()
    }

    /// Which games were played.
    pub(super) fn write_head(&self, o: &mut Json) {
        Played {
            id: &self.id,
            title: &self.title,
            fingerprint: self.fingerprint,
            overlays: &self.overlays,
            options: &self.options,
            players: self.players,
        }
        .write(o);
        o.key("seed").number(self.seed);
        o.key("games").number(self.games);
        o.key("games_asked").number(self.asked);
    }

    fn write_seat(&self, a: &mut Json, seat: usize) {
        let wins = self.wins(seat);
        a.object(|s| {
            s.key("seat").string(&seat_name(seat));
            s.key("bot").string(&self.bots[seat].to_string());
            s.key("wins_percent").decimal(wins.value, 2);
            s.key("wins_low").decimal(wins.low, 2);
            s.key("wins_high").decimal(wins.high, 2);
            let among = self.among_winners(seat).value;
            s.key("among_winners_percent").decimal(among, 2);
            if let Some(score) = self.score(seat) {
                s.key("score");
                write_distribution(s, score);
            }
            s.key("lines").object(|l| {
                for (at, name) in self.lines.iter().enumerate() {
                    if let Some(scores) = self.line(seat, at) {
                        l.key(name);
                        write_distribution(l, scores);
                    }
                }
            });
        });
    }

    fn write_figures(&self, o: &mut Json) {
        o.key("figures").array(|a| {
            for (at, figure) in self.figures.all.iter().enumerate() {
                let (mean, decimals) = (self.mean(at), figure.unit.decimals());
                a.object(|f| {
                    f.key("name").string(&figure.name);
                    f.key("label").string(&figure.label);
                    f.key("games").number(self.of(at).len());
                    f.key("mean").decimal(mean.value, decimals);
                    f.key("mean_low").decimal(mean.low, decimals);
                    f.key("mean_high").decimal(mean.high, decimals);
                });
            }
        });
    }

    fn write_uses(&self, o: &mut Json) {
        o.key("uses").array(|a| {
            for one in &self.uses {
                a.object(|u| {
                    u.key("kind").string(one.kind.name());
                    u.key("name").string(&one.name);
                    u.key("count").number(one.count);
                    if let Some(per_turn) = self.per_turn(one) {
                        u.key("per_turn").decimal(per_turn, 4);
                    }
                });
            }
        });
    }

    fn write_extremes(&self, o: &mut Json) {
        let Some(extremes) = self.extremes() else {
            return;
        };
        let names = match self.figures.margin() {
            Some(_) => ["closest", "most_one_sided"],
            None => ["shortest", "longest"],
        };
        for (name, (game, value)) in names.into_iter().zip(extremes) {
            o.key(name).object(|e| {
                e.key("game").number(game + 1);
                e.key("seed")
                    .string(&game_seed(self.seed, game).to_string());
                e.key("value").number(value);
            });
        }
    }

    fn write_never(&self, o: &mut Json) {
        o.key("never_used").array(|a| {
            for one in &self.unused {
                a.object(|u| {
                    u.key("table").string(&one.table);
                    u.key("of").number(one.of as u64);
                    u.key("rows")
                        .array(|rows| one.rows.iter().for_each(|row| rows.string(row)));
                });
            }
        });
        o.key("never_fired")
            .array(|a| self.unfired.iter().for_each(|name| a.string(name)));
        o.key("never_ended")
            .array(|a| self.never_ended.iter().for_each(|end| a.string(&end.how)));
        o.key("never_refused")
            .number(self.never_refused.len() as u64);
    }

    /// A row for each thing measured.
    pub fn to_csv(&self) -> String {
        let mut text = "what,name,seat,count,mean,low,high,min,q1,median,q3,max\n".to_owned();
        for (name, value) in &self.options {
            let option = csv_field(&format!("{name} = {value}"));
            let _ = writeln!(text, "option,{option},,,,,,,,,,");
        }
        for seat in 0..self.figures.players {
            let name = seat_name(seat);
            share_row(
                &mut text,
                ("wins_percent", &name),
                self.games,
                self.wins(seat),
            );
            if let Some(score) = self.score(seat) {
                csv_row(&mut text, "score", "total", &name, score);
            }
            for (at, line) in self.lines.iter().enumerate() {
                if let Some(scores) = self.line(seat, at) {
                    csv_row(&mut text, "score", line, &name, scores);
                }
            }
        }
        if let Some(turns) = self.turns() {
            csv_row(&mut text, "turns", "", "", turns);
        }
        csv_row(&mut text, "answers", "", "", self.answers());
        for one in &self.uses {
            let per_turn = self.per_turn(one).map(|v| decimal(v, 4));
            let (name, per_turn) = (csv_field(&one.name), per_turn.unwrap_or_default());
            let kind = one.kind.name();
            let _ = writeln!(text, "{kind},{name},,{},{per_turn},,,,,,,", one.count);
        }
        let unwon = self.mean(self.figures.nobody());
        share_row(&mut text, ("nobody_wins_percent", ""), self.games, unwon);
        for Ended { how, games, .. } in &self.endings {
            let _ = writeln!(text, "ending,{},,{games},,,,,,,,", csv_field(how));
        }
        text
    }
}

impl Figures {
    /// The head of a table with a row a game.
    pub fn csv_head(&self) -> String {
        let names = self.all.iter().map(|figure| csv_field(&figure.name));
        let names: Vec<String> = names.collect();
        format!("game,seed,{}\n", names.join(","))
    }

    /// The row of a game among those of this seed; shares in percent.
    pub fn csv_row(&self, seed: u64, game: u64, row: &Row) -> String {
        let mut text = format!("{},{}", game + 1, game_seed(seed, game));
        for (figure, value) in self.all.iter().zip(row) {
            text.push(',');
            match value {
                None => {}
                Some(value) => text += &figure.unit.one(*value),
            }
        }
        text.push('\n');
        text
    }
}

/// Option values that were tried, and what came of the games with them.
#[derive(Clone, Debug)]
pub struct Tried<'r> {
    /// Options that were set, with their values as text.
    pub options: Vec<(String, String)>,
    /// What the games came to.
    pub report: &'r Report,
}

/// A list with what was set, and all figures with it.
pub fn tried_to_json(all: &[Tried]) -> String {
    let mut json = Json::new();
    json.array(|a| {
        for one in all {
            a.object(|o| {
                o.key("set").object(|set| {
                    for (name, value) in &one.options {
                        set.key(name).string(value);
                    }
                });
                one.report.write_head(o);
                one.report.write_figures(o);
            });
        }
    });
    json.finish()
}

/// A row for what was set: the options, the games, then each figure with the ends of its interval.
pub fn tried_to_csv(all: &[Tried]) -> String {
    let Some(first) = all.first() else {
        return String::new();
    };
    let mut head: Vec<String> = first.options.iter().map(|(name, _)| name.clone()).collect();
    head.push("games".into());
    for figure in &first.report.figures.all {
        let ends = ["", ".low", ".high"].map(|end| csv_field(&format!("{}{end}", figure.name)));
        head.extend(ends);
    }
    let mut text = head.join(",") + "\n";
    for one in all {
        let mut row: Vec<String> = one
            .options
            .iter()
            .map(|(_, value)| csv_field(value))
            .collect();
        row.push(one.report.games.to_string());
        for (at, figure) in one.report.figures.all.iter().enumerate() {
            let mean = one.report.mean(at);
            let is_known = !one.report.of(at).is_empty();
            row.extend(
                [mean.value, mean.low, mean.high].map(|number| match is_known {
                    true => decimal(number, figure.unit.decimals()),
                    false => String::new(),
                }),
            );
        }
        text += &(row.join(",") + "\n");
    }
    text
}

impl Unit {
    /// One game's number as text.
    fn one(self, value: i64) -> String {
        match self {
            Unit::Number => value.to_string(),
            Unit::Thousandths => decimal(value, 3),
            Unit::Share => decimal(value * 10_000 / VICTORY_PARTS as i64, 2),
        }
    }
}

fn write_link(l: &mut Json, one: &Linked) {
    l.key("with").string(match one.with {
        LinkedWith::Done => "done",
        LinkedWith::Named => "named",
        LinkedWith::Early => "held_early",
    });
    l.key("name").string(&one.name);
    l.key("games").number(one.games);
    l.key("luck").decimal(luck::millionths(one.luck), 6);
    write_share(l.key("more_wins"), one.more);
    write_share(l.key("less_wins"), one.less);
}

/// A share in percent with its interval.
fn write_share(o: &mut Json, share: Estimate) {
    o.array(|a| {
        for value in [share.value, share.low, share.high] {
            a.decimal(value, 2);
        }
    });
}

fn write_distribution(o: &mut Json, d: &Distribution) {
    let mean = d.mean();
    o.object(|o| {
        o.key("mean").decimal(mean.value, 3);
        o.key("mean_low").decimal(mean.low, 3);
        o.key("mean_high").decimal(mean.high, 3);
        o.key("min").number(d.min());
        o.key("q1").number(d.quantile(1, 4));
        o.key("median").number(d.quantile(1, 2));
        o.key("q3").number(d.quantile(3, 4));
        o.key("max").number(d.max());
    });
}

fn share_row(text: &mut String, (what, seat): (&str, &str), games: u64, share: Estimate) {
    let [value, low, high] = [share.value, share.low, share.high].map(|v| decimal(v, 2));
    let _ = writeln!(text, "{what},,{seat},{games},{value},{low},{high},,,,,");
}

fn csv_row(text: &mut String, what: &str, name: &str, seat: &str, d: &Distribution) {
    let mean = d.mean();
    let [value, low, high] = [mean.value, mean.low, mean.high].map(|v| decimal(v, 3));
    let (q1, median, q3) = (d.quantile(1, 4), d.quantile(1, 2), d.quantile(3, 4));
    let (name, count, min, max) = (csv_field(name), d.len(), d.min(), d.max());
    let _ = writeln!(
        text,
        "{what},{name},{seat},{count},{value},{low},{high},{min},{q1},{median},{q3},{max}"
    );
}
