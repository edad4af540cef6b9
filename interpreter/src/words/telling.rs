//! What somebody hears of an answer, and when. While all answer secretly others hear that somebody has chosen; what he chose they
//! hear when all have, with how it stood then, and behind it what follows.

use super::Words;
use super::tale::{Heard, Said, Sentence};
use crate::ask::Eyes;
use crate::game::{NodeId, Told, Tree};
use crate::observe::{Hearing, Observer};
use crate::state::State;
use std::sync::Arc;

/// Something that somebody hears of an answer.
#[derive(Clone, Debug)]
pub struct Telling {
    /// None: nothing; but what was kept secret is over.
    heard: Option<Heard>,
    when: When,
    /// How it stood when all was shown, if that came of the answer.
    shown: Option<Arc<State>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// At once, while all answer secretly.
    Meanwhile,
    /// When all have answered.
    Late,
    /// At once, nothing being secret.
    Openly,
}

/// Something that was heard.
#[derive(Clone, Copy, Debug)]
pub struct Hears<'t, P> {
    /// Where on the way.
    pub place: P,
    /// What it was.
    pub heard: &'t Heard,
    /// How it stood then, where that is not how it stood at the place.
    pub shown: Option<&'t Arc<State>>,
}

/// What was told at places that lie one behind the other, in the order in which it is heard.
pub fn in_order<'t, P: Copy>(
    tellings: impl IntoIterator<Item = (P, &'t Telling)>,
) -> Vec<Hears<'t, P>> {
    let (mut all, mut late) = (Vec::new(), Vec::new());
    for (place, telling) in tellings {
        let shown = telling.shown.as_ref();
        if telling.when == When::Openly {
            all.extend(late.drain(..).map(|heard| Hears {
                place,
                heard,
                shown,
            }));
        }
        let Some(heard) = &telling.heard else {
            continue;
        };
        match telling.when {
            When::Late => late.push(heard),
            When::Meanwhile => all.push(Hears {
                place,
                heard,
                shown,
            }),
            When::Openly => all.push(Hears {
                place,
                heard,
                shown: None,
            }),
        }
    }
    all
}

/// Heard at once, while all answer secretly.
fn meanwhile(heard: Heard) -> Telling {
    Telling {
        heard: Some(heard),
        when: When::Meanwhile,
        shown: None,
    }
}

impl Words<'_> {
    /// What somebody hears of an answer, and sees of what came of it if that is told.
    pub fn tellings(
        &self,
        observer: &Observer<'_>,
        told: &Told<'_>,
        eyes: Eyes,
        tells_news: bool,
    ) -> Vec<Telling> {
        let hears = observer.hears(told, eyes);
        let heard = |told: &Told<'_>| self.heard_by(observer, told, eyes, tells_news);
        let openly = |heard, shown| Telling {
            heard,
            when: When::Openly,
            shown,
        };
        if !told.before.is_secret() {
            return vec![openly(Some(heard(told)), None)];
        }
        let knows = match eyes {
            Eyes::Open => true,
            Eyes::Of(seat) => seat == Some(told.seat),
        };
        let before = told.before.laid_open();
        let Some((shown, last)) = told.laid_open() else {
            let after = told.after.laid_open();
            let whole = heard(&Told {
                before: &before,
                after: &after,
                ..*told
            });
            return match knows {
                true => vec![meanwhile(whole)],
                false => self.kept(told, hears, whole),
            };
        };
        let (secret, follows) = told.events.split_at(last);
        let chosen = heard(&Told {
            before: &before,
            after: &shown,
            events: secret,
            ..*told
        });
        let follows = tells_news.then(|| {
            let follows = Told {
                before: &shown,
                events: follows,
                ..*told
            };
            heard(&follows).without_answer()
        });
        let follows = follows.filter(|heard| !heard.is_empty());
        let shown = Arc::new(shown);
        let chosen = Telling {
            heard: Some(chosen),
            when: match knows {
                true => When::Meanwhile,
                false => When::Late,
            },
            shown: Some(shown.clone()),
        };
        vec![chosen, openly(follows, Some(shown))]
    }

    /// Of an answer that is kept secret: that somebody has chosen, and later the whole.
    fn kept(&self, told: &Told<'_>, hears: Hearing, mut whole: Heard) -> Vec<Telling> {
        // That somebody has chosen is not told twice.
        if whole.said == Said::Hidden {
            whole.said = Said::Nothing;
        }
        // What chance decided meanwhile is heard later too.
        let begun = Told {
            events: &[],
            ..*told
        };
        let unheard = Hearing {
            answer: false,
            ..hears
        };
        let late = Telling {
            when: When::Late,
            ..meanwhile(whole)
        };
        vec![meanwhile(self.heard(&begun, unheard, Vec::new())), late]
    }

    /// What happened at some nodes of a game that lie one behind the other, nothing hidden; each sentence with the place in the
    /// row of the node that its last answer led to.
    pub fn story(&self, tree: &Tree, path: &[NodeId]) -> Vec<(usize, Sentence)> {
        let observer = Observer::new(self.program);
        let mut tellings = Vec::new();
        for (place, id) in path.iter().enumerate() {
            for told in tree.told(self.program, *id) {
                // Of the set-up only is told what somebody answered.
                let tells_news = tree.node(*id).parent.is_some();
                let told = self.tellings(&observer, &told, Eyes::Open, tells_news);
                tellings.extend(told.into_iter().map(|told| (place, told)));
            }
        }
        let tellings = tellings.iter().map(|(place, told)| (*place, told));
        let (places, heard): (Vec<usize>, Vec<Heard>) = in_order(tellings)
            .into_iter()
            .map(|told| (told.place, told.heard.clone()))
            .unzip();
        let sentences = self.sentences(&heard).into_iter();
        let placed = sentences.map(|told| (places[told.answers.end - 1], told));
        placed.collect()
    }

    fn heard_by(
        &self,
        observer: &Observer<'_>,
        told: &Told<'_>,
        eyes: Eyes,
        tells_news: bool,
    ) -> Heard {
        let hears = observer.hears(told, eyes);
        if !tells_news {
            return self.heard(told, hears, Vec::new());
        }
        let [before, after] = [told.before, told.after].map(|state| observer.seen_by(state, eyes));
        let heard = self.heard(told, hears, self.news(&before, &after));
        self.with_points(heard, told, eyes)
    }
}
