//! Symbol tables: what a name can mean, ring by ring, and which layers see it.

use std::collections::BTreeMap;

use crate::assembly::Assembly;
use crate::diagnostic::suggest::{nearest, nearest_of};
use crate::ir::{
    ActionId, CellId, ColumnId, Domain, EnumId, FormulaId, GridId, LabelId, LayerId, NetworkId,
    OptionId, TableId,
};
use crate::source::{FileId, Span};

/// What a name of the whole game stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    Option(OptionId),
    Enum(EnumId),
    Table(TableId),
    Grid(GridId),
    Cell(CellId),
    Formula(FormulaId),
    Network(NetworkId),
    Action(ActionId),
    Tiling,
}

/// What a word after a dot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    Column(TableId, ColumnId),
    Cell(CellId),
    Formula(FormulaId),
    Network(NetworkId),
}

/// A meaning, and the layer from which on it can be seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<T> {
    pub what: T,
    pub layer: LayerId,
    pub span: Span,
}

type Ring<T> = BTreeMap<String, Vec<Seen<T>>>;

/// Everything that can be named outside of bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    layers: Vec<LayerId>,
    /// What stands below a `with`, and its layer.
    parts: Vec<(Span, LayerId)>,
    /// By layer: which layers' declarations its text sees. The last line is for texts of no layer: they see everything.
    sees: Vec<Vec<bool>>,
    pub globals: Ring<Global>,
    members: BTreeMap<DomainKey, Ring<Member>>,
    /// Cells of steps and actions.
    pub steps: Ring<CellId>,
    pub labels: BTreeMap<String, LabelId>,
    /// Where a step stands that is called as another one is.
    pub labels_again: BTreeMap<String, Span>,
    /// Steps around which no loop over players stands in the same body: one of each name.
    pub labels_unpassed: BTreeMap<String, Span>,
    /// Columns of grids with one index: each a grid of its own.
    pub grid_columns: BTreeMap<u32, Vec<(String, GridId)>>,
    /// Rows by name, one map a table.
    pub rows: Vec<BTreeMap<String, u32>>,
    pub row_layers: Vec<Vec<LayerId>>,
    pub enum_members: Vec<BTreeMap<String, u32>>,
    pub enum_layers: Vec<Vec<LayerId>>,
    /// Rows and enum members by name: the outermost ring.
    pub words: BTreeMap<String, Vec<(Domain, u32)>>,
}

/// Owners of members in an order of their own: parts share the names of their table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DomainKey(u8, u32);

impl DomainKey {
    fn of(domain: Domain) -> DomainKey {
        match domain {
            Domain::Table(id) | Domain::Part(id) => DomainKey(0, id.0),
            Domain::Enum(id) => DomainKey(1, id.0),
            Domain::Player => DomainKey(2, 0),
            Domain::Cell => DomainKey(3, 0),
            Domain::Side => DomainKey(4, 0),
            Domain::Port => DomainKey(5, 0),
            Domain::Action => DomainKey(6, 0),
            Domain::Int { .. } => DomainKey(7, 0),
        }
    }

    /// Of parts their table.
    fn domain(self) -> Option<Domain> {
        Some(match self.0 {
            0 => Domain::Table(TableId(self.1)),
            1 => Domain::Enum(EnumId(self.1)),
            2 => Domain::Player,
            3 => Domain::Cell,
            4 => Domain::Side,
            5 => Domain::Port,
            6 => Domain::Action,
            _ => return None,
        })
    }
}

/// Names that every game has.
const BUILT_IN: [&str; 8] = [
    "player", "players", "starter", "box", "true", "false", "none", "score",
];

impl Names {
    pub fn new(asm: &Assembly) -> Names {
        let layers = &asm.layers;
        let ids = || (0..layers.len() as u32).map(LayerId);
        let sees = |layer: LayerId| ids().map(|other| asm.sees(layer, other)).collect();
        let everything = vec![true; layers.len()];
        let mut names = Names {
            sees: ids().map(sees).chain([everything]).collect(),
            ..Names::default()
        };
        for (at, layer) in layers.iter().enumerate() {
            for file in &layer.files {
                names.put_file(*file, LayerId(at as u32));
            }
            let spans = layer.part.iter().flat_map(|part| &part.spans);
            names
                .parts
                .extend(spans.map(|span| (*span, LayerId(at as u32))));
        }
        names
    }

    fn put_file(&mut self, file: FileId, layer: LayerId) {
        let at = file.0 as usize;
        if self.layers.len() <= at {
            self.layers.resize(at + 1, LayerId(u32::MAX));
        }
        self.layers[at] = layer;
    }

    /// The layer whose text a span is; texts of no layer (scenarios, questions) see everything.
    pub fn layer(&self, span: Span) -> LayerId {
        let inside = |part: &Span| {
            part.file == span.file && part.start <= span.start && span.end <= part.end
        };
        if let Some((_, layer)) = self.parts.iter().find(|(part, _)| inside(part)) {
            return *layer;
        }
        match self.layers.get(span.file.0 as usize) {
            Some(layer) if layer.0 != u32::MAX => *layer,
            _ => LayerId(self.sees.len().saturating_sub(1) as u32),
        }
    }

    /// Which layers' declarations a place sees.
    fn view(&self, at: Span) -> &[bool] {
        self.sees
            .get(self.layer(at).index())
            .map_or(&[], Vec::as_slice)
    }

    pub fn add_member(&mut self, owner: Domain, name: &str, seen: Seen<Member>) -> Option<Span> {
        let ring = self.members.entry(DomainKey::of(owner)).or_default();
        add(ring, name, seen)
    }

    /// Lets an earlier layer see a member.
    pub fn lower_member(&mut self, owner: Domain, name: &str, layer: LayerId) {
        let ring = self.members.get_mut(&DomainKey::of(owner));
        if let Some(all) = ring.and_then(|ring| ring.get_mut(name)) {
            all.iter_mut()
                .for_each(|seen| seen.layer = seen.layer.min(layer));
        }
    }

    /// Lets an earlier layer see a member of an enum.
    pub fn lower_enum(&mut self, id: EnumId, member: &str, layer: LayerId) {
        let at = self.enum_members[id.index()].get(member).copied();
        if let Some(seen) = at.and_then(|at| self.enum_layers[id.index()].get_mut(at as usize)) {
            *seen = (*seen).min(layer);
        }
    }

    pub fn member(&self, owner: Domain, name: &str, at: Span) -> Option<Member> {
        let ring = self.members.get(&DomainKey::of(owner))?;
        find(ring, name, self.view(at)).map(|seen| seen.what)
    }

    pub fn global(&self, name: &str, at: Span) -> Option<Global> {
        find(&self.globals, name, self.view(at)).map(|seen| seen.what)
    }

    pub fn add_global(&mut self, name: &str, seen: Seen<Global>) -> Option<Span> {
        add(&mut self.globals, name, seen)
    }

    /// A layer that declares something of this name, which the place does not see.
    pub fn hidden(&self, name: &str, at: Span) -> Option<LayerId> {
        fn first<T>(ring: &Ring<T>, name: &str) -> Option<LayerId> {
            ring.get(name)?.first().map(|seen| seen.layer)
        }
        let members = self.members.values();
        let mut all = first(&self.globals, name)
            .into_iter()
            .chain(members.filter_map(|ring| first(ring, name)))
            .chain(first(&self.steps, name));
        all.find(|layer| !is_in(self.view(at), *layer))
    }

    /// Cells of steps and actions under this name that the place can see.
    pub fn step_cells(&self, name: &str, at: Span) -> Vec<CellId> {
        let view = self.view(at);
        let all = self.steps.get(name).map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter(|seen| is_in(view, seen.layer))
            .map(|seen| seen.what)
            .collect()
    }

    /// The names of all cells of steps and actions that the place can see.
    pub fn step_cell_names(&self, at: Span) -> impl Iterator<Item = &str> {
        visible(&self.steps, self.view(at))
    }

    /// The number of a row or member called `name` in its domain.
    pub fn word_in(&self, domain: Domain, name: &str, at: Span) -> Option<u32> {
        let found = match domain {
            Domain::Table(id) => self.rows.get(id.index())?.get(name),
            Domain::Enum(id) => self.enum_members.get(id.index())?.get(name),
            _ => return None,
        };
        found
            .copied()
            .filter(|at_row| is_in(self.view(at), self.word_layer(domain, *at_row)))
    }

    fn word_layer(&self, domain: Domain, element: u32) -> LayerId {
        let layers = match domain {
            Domain::Table(id) => self.row_layers.get(id.index()),
            Domain::Enum(id) => self.enum_layers.get(id.index()),
            _ => None,
        };
        layers
            .and_then(|all| all.get(element as usize))
            .copied()
            .unwrap_or(LayerId(0))
    }

    /// All rows and members called `name` that the place can see.
    pub fn words(&self, name: &str, at: Span) -> Vec<(Domain, u32)> {
        let view = self.view(at);
        let all = self.words.get(name).map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter(|(domain, element)| is_in(view, self.word_layer(*domain, *element)))
            .copied()
            .collect()
    }

    /// Names near to one, the nearest first.
    pub fn near_globals(&self, name: &str, at: Span, player: bool, most: usize) -> Vec<&str> {
        let view = self.view(at);
        let mut candidates: Vec<&str> = visible(&self.globals, view).collect();
        candidates.extend(visible(&self.steps, view));
        if player && let Some(ring) = self.members.get(&DomainKey::of(Domain::Player)) {
            candidates.extend(visible(ring, view));
        }
        candidates.extend(BUILT_IN);
        let mut near = nearest_of(name, candidates, most);
        near.extend(nearest(name, self.words.keys().map(String::as_str)));
        near
    }

    /// Everything of this name that belongs to something, with its owner.
    pub fn owners_of(&self, name: &str, at: Span) -> Vec<(Domain, Member)> {
        let view = self.view(at);
        let owners = self.members.iter();
        owners
            .filter_map(|(key, ring)| Some((key.domain()?, find(ring, name, view)?.what)))
            .collect()
    }

    /// All members that an owner has, seen from a place.
    pub fn members_of(&self, owner: Domain, at: Span) -> Vec<(&str, Member)> {
        let view = self.view(at);
        let ring = self.members.get(&DomainKey::of(owner));
        let all = ring.into_iter().flat_map(|ring| ring.keys());
        all.filter_map(|name| {
            let seen = find(ring?, name, view)?;
            Some((name.as_str(), seen.what))
        })
        .collect()
    }

    /// All names of the whole game, seen from a place.
    pub fn globals_at(&self, at: Span) -> Vec<(&str, Global)> {
        let view = self.view(at);
        let seen = |name: &String| find(&self.globals, name, view).map(|seen| seen.what);
        self.globals
            .keys()
            .filter_map(|name| Some((name.as_str(), seen(name)?)))
            .collect()
    }

    /// The first member of this name, of whatever owner.
    pub fn any_member(&self, name: &str, at: Span) -> Option<Member> {
        let view = self.view(at);
        let mut found = self
            .members
            .values()
            .filter_map(|ring| find(ring, name, view));
        found.next().map(|seen| seen.what)
    }

    pub fn near_member(&self, owner: Domain, name: &str, at: Span) -> Option<&str> {
        near_in(
            self.members.get(&DomainKey::of(owner))?,
            name,
            self.view(at),
        )
    }

    pub fn near_word(&self, domain: Domain, name: &str) -> Option<&str> {
        match domain {
            Domain::Table(id) => {
                nearest(name, self.rows.get(id.index())?.keys().map(String::as_str))
            }
            Domain::Enum(id) => nearest(
                name,
                self.enum_members
                    .get(id.index())?
                    .keys()
                    .map(String::as_str),
            ),
            _ => None,
        }
    }
}

/// Adds a meaning; the earlier place when the same layer has one already.
fn add<T>(ring: &mut Ring<T>, name: &str, seen: Seen<T>) -> Option<Span> {
    let all = ring.entry(name.to_owned()).or_default();
    let before = all.first().map(|old| old.span);
    all.push(seen);
    before
}

fn is_in(view: &[bool], layer: LayerId) -> bool {
    view.get(layer.index()).copied().unwrap_or(false)
}

fn find<'a, T>(ring: &'a Ring<T>, name: &str, view: &[bool]) -> Option<&'a Seen<T>> {
    let mut all = ring.get(name)?.iter();
    all.find(|seen| is_in(view, seen.layer))
}

fn visible<'a, T>(ring: &'a Ring<T>, view: &[bool]) -> impl Iterator<Item = &'a str> {
    ring.iter()
        .filter(move |(_, all)| all.iter().any(|seen| is_in(view, seen.layer)))
        .map(|(name, _)| name.as_str())
}

fn near_in<'a, T>(ring: &'a Ring<T>, name: &str, view: &[bool]) -> Option<&'a str> {
    nearest(name, visible(ring, view))
}
