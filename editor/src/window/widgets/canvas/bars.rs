//! The bars beside a board that is looked at in parts: where the part lies, and to be dragged.

use super::{CanvasView, EDGE};
use crate::window::theme;
use egui::{Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Width of a bar, and the least length of its handle.
const WIDTH: f32 = 8.0;
const HANDLE_MIN: f32 = 24.0;

/// One bar: across or down, its track, its handle, and how far the board moves for a point of it.
struct Bar {
    axis: usize,
    handle: Rect,
    track: Rect,
    step: f32,
}

impl Bar {
    fn name(&self) -> &'static str {
        match self.axis {
            0 => "Board across",
            _ => "Board down",
        }
    }
}

impl CanvasView {
    /// Those of the directions in which there is more than is seen.
    fn bars(&self, area: Rect) -> Vec<Bar> {
        let place = self.place.unwrap_or_else(|| self.fitted());
        let whole = self.board * place.scaling + Vec2::splat(2.0 * EDGE);
        let bar = |axis: usize| {
            let (length, seen) = (whole[axis], area.size()[axis]);
            if length <= seen + 1.0 {
                return None;
            }
            let track = match axis {
                0 => Rect::from_min_max(pos2(area.min.x, area.max.y - WIDTH), area.max),
                _ => Rect::from_min_max(pos2(area.max.x - WIDTH, area.min.y), area.max),
            };
            let handle = (seen * seen / length).max(HANDLE_MIN);
            let free = (seen - handle).max(1.0);
            let step = (length - seen) / free;
            let begin = ((EDGE - place.translation[axis]) / step).clamp(0.0, free);
            let (along, size) = match axis {
                0 => (vec2(begin, 0.0), vec2(handle, WIDTH)),
                _ => (vec2(0.0, begin), vec2(WIDTH, handle)),
            };
            Some(Bar {
                axis,
                handle: Rect::from_min_size(track.min + along, size),
                track,
                step,
            })
        };
        (0..2).filter_map(bar).collect()
    }

    /// Moves the board where a bar is dragged.
    pub(super) fn bars_ui(&mut self, ui: &Ui, area: Rect) {
        for bar in self.bars(area) {
            let id = ui.scope_id().with(("bar of the board", bar.axis));
            let dragged = ui.interact(bar.handle, id, Sense::drag());
            dragged.widget_info(|| WidgetInfo::labeled(Role::ScrollBar, true, bar.name()));
            if dragged.dragged() {
                let mut place = self.place.unwrap_or_else(|| self.fitted());
                place.translation[bar.axis] -= dragged.drag_delta()[bar.axis] * bar.step;
                self.place = Some(place);
            }
        }
    }

    pub(super) fn paint_bars(&self, ui: &Ui, area: Rect) {
        let colours = theme::colours(ui.style());
        let painter = ui.painter_at(area);
        for bar in self.bars(area) {
            painter.rect_filled(bar.track, WIDTH / 2.0, colours.card.gamma_multiply(0.6));
            painter.rect_filled(bar.handle, WIDTH / 2.0, colours.muted);
        }
    }
}
