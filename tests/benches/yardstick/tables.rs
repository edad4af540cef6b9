//! The components: map, card kinds and tickets as numbers, with the bit masks that the game reads.

use super::{KINDS, LOCO};

/// The colour of a route that is paid in any one colour.
pub(super) const GRAY: u8 = 8;
pub(super) const LENGTH_MAX: usize = 6;
pub(super) const CITIES_MAX: usize = 64;
pub(super) const TICKETS_MAX: usize = 32;
pub(super) const DECK_MAX: usize = 128;

#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub a: u8,
    pub b: u8,
    pub length: u8,
    /// A colour kind, or [`GRAY`].
    pub(super) color: u8,
}

#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    pub a: u8,
    pub b: u8,
    pub points: u8,
}

/// Everything that never changes. Sets of routes are bit masks by row.
pub struct Tables {
    pub cities: Vec<String>,
    pub routes: Vec<Route>,
    pub route_ids: Vec<String>,
    pub tickets: Vec<Ticket>,
    pub ticket_ids: Vec<String>,
    pub kinds: [String; KINDS],
    /// Cards of each kind in the train deck.
    pub copies: [u8; KINDS],
    /// The other routes of the same connection.
    pub(super) twins: Vec<u128>,
    /// The routes of a colour (or gray) with at most so many spaces.
    pub(super) up_to: [[u128; LENGTH_MAX + 1]; KINDS],
}

impl Tables {
    /// Reads the texts of `map.toml`, `train_cards.toml` and `tickets.toml`. Says what is missing or too large.
    pub fn load(map: &str, cards: &str, tickets: &str) -> Result<Self, String> {
        let (map, cards, tickets) = (parse(map)?, parse(cards)?, parse(tickets)?);

        let (kinds, colors, copies) = kinds_of(&cards)?;
        let cities: Vec<String> = rows(&map, "place")?
            .iter()
            .map(|row| text(row, "id"))
            .collect::<Result<_, _>>()?;
        let city = |row: &toml::Table, key| {
            let id = text(row, key)?;
            index(&cities, &id).ok_or(format!("`{id}` is no city"))
        };

        let (mut routes, mut route_ids, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows(&map, "route")? {
            let color = text(row, "color")?;
            let color = match index(&colors, &color) {
                Some(kind) => kind,
                None if color == "gray" => GRAY,
                None => return Err(format!("`{color}` is no colour")),
            };
            let length = number(row, "len").or_else(|_| number(row, "length"))?;
            routes.push(Route {
                a: city(row, "a")?,
                b: city(row, "b")?,
                length,
                color,
            });
            route_ids.push(text(row, "id")?);
            groups.push(text(row, "group").unwrap_or_default());
        }
        let ticket_rows = rows(&tickets, "ticket")?;
        let tickets = ticket_rows
            .iter()
            .map(|row| {
                Ok(Ticket {
                    a: city(row, "a")?,
                    b: city(row, "b")?,
                    points: number(row, "points")?,
                })
            })
            .collect::<Result<Vec<_>, String>>()?;
        let ticket_ids = ticket_rows
            .iter()
            .map(|row| text(row, "id"))
            .collect::<Result<_, _>>()?;

        let cards_in_all: usize = copies.iter().map(|&n| usize::from(n)).sum();
        let lengths = routes
            .iter()
            .all(|t| (1..=LENGTH_MAX).contains(&usize::from(t.length)));
        if !lengths
            || cities.len() > CITIES_MAX
            || routes.len() > 128
            || tickets.len() > TICKETS_MAX
            || cards_in_all > DECK_MAX
        {
            return Err("more components, or longer routes, than the yardstick holds".into());
        }

        let twins = groups
            .iter()
            .enumerate()
            .map(|(i, group)| {
                let twin = |&j: &usize| j != i && !group.is_empty() && groups[j] == *group;
                (0..groups.len())
                    .filter(twin)
                    .fold(0, |mask, j| mask | 1 << j)
            })
            .collect();
        let mut up_to = [[0; LENGTH_MAX + 1]; KINDS];
        for (i, route) in routes.iter().enumerate() {
            for mask in &mut up_to[usize::from(route.color)][usize::from(route.length)..] {
                *mask |= 1 << i;
            }
        }
        Ok(Self {
            cities,
            routes,
            route_ids,
            tickets,
            ticket_ids,
            kinds,
            copies,
            twins,
            up_to,
        })
    }

    pub fn kind(&self, id: &str) -> Option<u8> {
        index(&self.kinds, id)
    }

    pub fn route(&self, id: &str) -> Option<u8> {
        index(&self.route_ids, id)
    }

    pub fn ticket(&self, id: &str) -> Option<u8> {
        index(&self.ticket_ids, id)
    }

    pub(super) fn all_routes(&self) -> u128 {
        u128::MAX >> (128 - self.routes.len())
    }
}

type Kinds = ([String; KINDS], Vec<String>, [u8; KINDS]);

/// Ids and colours in the order of the list, the locomotive last, and the copies of each.
fn kinds_of(cards: &toml::Table) -> Result<Kinds, String> {
    let (mut kinds, mut colors, mut copies): (Vec<_>, Vec<_>, _) = (vec![], vec![], [0; KINDS]);
    let mut wild = None;
    for row in rows(cards, "card")? {
        if row.get("wild").and_then(toml::Value::as_bool) == Some(true) {
            wild = Some((text(row, "id")?, number(row, "count")?));
        } else if kinds.len() < usize::from(LOCO) {
            copies[kinds.len()] = number(row, "count")?;
            kinds.push(text(row, "id")?);
            colors.push(text(row, "color")?);
        } else {
            return Err("more than eight colours of cards".into());
        }
    }
    let (id, count) = wild.ok_or("no wild card")?;
    kinds.push(id);
    copies[usize::from(LOCO)] = count;
    let kinds = kinds
        .try_into()
        .map_err(|_| "fewer than eight colours of cards")?;
    Ok((kinds, colors, copies))
}

fn parse(source: &str) -> Result<toml::Table, String> {
    source
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())
}

fn rows<'a>(file: &'a toml::Table, section: &str) -> Result<Vec<&'a toml::Table>, String> {
    let rows = file.get(section).and_then(toml::Value::as_array);
    let rows = rows.ok_or(format!("no [[{section}]]"))?;
    Ok(rows.iter().filter_map(toml::Value::as_table).collect())
}

fn text(row: &toml::Table, key: &str) -> Result<String, String> {
    let value = row.get(key).and_then(toml::Value::as_str);
    value
        .map(str::to_owned)
        .ok_or(format!("no text `{key}` in {row}"))
}

fn number(row: &toml::Table, key: &str) -> Result<u8, String> {
    let value = row.get(key).and_then(toml::Value::as_integer);
    let small = value.and_then(|value| u8::try_from(value).ok());
    small.ok_or(format!("no number `{key}` from 0 to 255 in {row}"))
}

fn index(ids: &[String], id: &str) -> Option<u8> {
    ids.iter()
        .position(|other| other == id)
        .and_then(|i| u8::try_from(i).ok())
}
