//! Rows that name two nodes of a network, as tickets and contracts do: what of them is joined, and how much is missing.

use super::super::cells::domains_of;
use super::{Counting, Lower, seen};
use crate::program::*;
use dsl::ir::{self, Domain, Ty};
use std::sync::Arc;

impl Lower<'_> {
    /// Of the rows of a table that lie in a container.
    pub(super) fn of_ends(
        &self,
        counting: &Counting<'_>,
        table: ir::TableId,
        found: &mut Vec<Feature>,
    ) {
        for (at, network) in (0..).zip(&self.rules.networks) {
            let Some((links, ends)) = self.ends(at, network, table) else {
                continue;
            };
            let ends = Arc::new(ends);
            let mut add = |name: String, what: EndsCounted| {
                let what = Counted::Ends {
                    words: counting.words(),
                    step: counting.step,
                    shape: counting.shape,
                    ends: ends.clone(),
                    what,
                };
                let name = format!("{}: {name}", counting.name);
                seen(counting, name, what, found);
            };
            let network = &network.name;
            let network = network.strip_prefix("player.").unwrap_or(network);
            for (column, base) in self.counted_columns(links) {
                add(
                    format!("{column}missing of {network}"),
                    EndsCounted::Missing(base),
                );
            }
            for (column, base) in self.counted_columns(table) {
                add(
                    format!("{column}joined by {network}"),
                    EndsCounted::Joined(base),
                );
                add(
                    format!("{column}cut off from {network}"),
                    EndsCounted::Cut(base),
                );
            }
        }
    }

    /// Rows themselves, and each of their columns of numbers, as they stand before a name.
    fn counted_columns(&self, table: ir::TableId) -> Vec<(String, Option<u32>)> {
        let columns = self.number_columns(table).into_iter();
        let columns = columns.map(|(name, base)| (format!("{name} "), Some(base)));
        std::iter::once((String::new(), None))
            .chain(columns)
            .collect()
    }

    /// If the network's links come and go, belong to the seat or to all, and join what two columns of the table name; with the
    /// table of the links.
    fn ends(
        &self,
        at: u32,
        network: &ir::Network,
        table: ir::TableId,
    ) -> Option<(ir::TableId, Ends)> {
        let ir::NetworkGround::Links {
            table: links,
            nodes,
            ..
        } = &network.ground
        else {
            return None;
        };
        network.condition.as_ref()?;
        if network.owner.is_some_and(|owner| owner != Domain::Player) || table == *links {
            return None;
        }
        let own = self.rules.tables[table.index()].columns.iter().zip(0..);
        let mut named = own.filter(|(column, _)| column.ty.required() == &Ty::Element(*nodes));
        let base = |at: usize| self.columns[table.index()][at].base;
        let columns = (base(named.next()?.1), base(named.next()?.1));
        let mut holders = self.rules.cells.iter().zip(&self.program.cells);
        let holder = holders.find(|(cell, layout)| {
            layout.is_open()
                && layout.owner.is_none()
                && layout.shape == Shape::Scalar
                && cell.ty.required() == &Ty::Element(Domain::Player)
                && domains_of(cell)[..] == [Domain::Table(*links)]
        });
        let holders = holder.map_or_else(Vec::new, |(_, layout)| {
            let slots = 0..layout.slots;
            slots.map(|slot| layout.word(slot) as u32).collect()
        });
        Some((
            *links,
            Ends {
                network: at,
                columns,
                holders,
            },
        ))
    }
}
