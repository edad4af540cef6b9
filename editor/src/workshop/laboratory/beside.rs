//! What the games of the rules that are open can be compared with: other overlays of the same game.

use crate::workshop::Workshop;
use dsl::assembly::Manifest;

/// Between the titles of overlays that lie on one another.
const AND: &str = " + ";

/// The overlays of another side, by their ids in the order of the layers.
pub type Overlays = Vec<String>;

impl Workshop {
    /// What a simulation can be played beside, the usual one first: what the overlays that are laid on need and nothing else, the
    /// game alone, the overlays without one of them, and each other overlay instead.
    pub fn besides(&self) -> Vec<Overlays> {
        let manifest = self.good().and_then(|good| good.manifest());
        let Some(manifest) = manifest else {
            return Vec::new();
        };
        let stack = self.stack();
        let mut sides: Vec<Overlays> = Vec::new();
        let mut add = |ids: Vec<String>| {
            let side = in_order(manifest, &ids);
            if side != stack && !sides.contains(&side) {
                sides.push(side);
            }
        };
        add(manifest.needed(stack));
        add(Vec::new());
        for id in stack {
            let stays = |other: &&String| !manifest.with_needs(other).contains(id);
            add(stack.iter().filter(stays).cloned().collect());
        }
        for overlay in &manifest.overlays {
            if !stack.contains(&overlay.id) {
                add(manifest.with_needs(&overlay.id));
            }
        }
        sides
    }
}

/// The overlays of this kind, as the game has them one on the other.
fn in_order(manifest: &Manifest, ids: &[String]) -> Overlays {
    let all = manifest.overlays.iter().map(|overlay| &overlay.id);
    all.filter(|id| ids.contains(id)).cloned().collect()
}

/// What people call a side: `My variant`; none: the game alone.
pub fn title(manifest: &Manifest, side: &[String]) -> Option<String> {
    let titles = side.iter().map(|id| {
        let known = manifest.overlays.iter().find(|overlay| overlay.id == *id);
        known.map_or(id.as_str(), |overlay| overlay.title.as_str())
    });
    let titles: Vec<&str> = titles.collect();
    (!titles.is_empty()).then(|| titles.join(AND))
}
