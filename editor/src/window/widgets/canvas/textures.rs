//! One's own pictures as what the graphics card paints, kept as long as they are painted.

use crate::picture::{self, PIXELS_MAX};
use dsl::source::Picture;
use egui::{ColorImage, Context, Id, TextureHandle, TextureId, TextureOptions};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A picture that was not painted in so many frames is let go.
const FRAMES: u64 = 300;

/// By picture, and the number of pixels of its longer side.
#[derive(Default)]
struct Known {
    kept: BTreeMap<(usize, u32), Kept>,
    /// The frame in which it was looked last for what is not painted any more.
    swept: u64,
}

struct Kept {
    /// As long as it lives, its key is nobody else's.
    _picture: Picture,
    /// None: it cannot be drawn.
    texture: Option<TextureHandle>,
    painted: u64,
}

/// The picture for a side of so many pixels. None if it cannot be drawn.
pub fn of(ctx: &Context, picture: &Picture, side: f32) -> Option<TextureId> {
    // In steps, so that it is not drawn anew for each width of the window.
    let most = ctx
        .input(|input| input.max_texture_side)
        .min(PIXELS_MAX as usize) as u32;
    let longest = (side.ceil().max(16.0) as u32).next_power_of_two().min(most);
    let key = (picture.key(), longest);
    let id = Id::unique("textures");
    let now = ctx.cumulative_frame_nr();
    let known: Arc<Mutex<Known>> = ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Arc<Mutex<Known>>>(id)
            .clone()
    });
    let mut known = known.lock().unwrap_or_else(|e| e.into_inner());
    if known.swept != now {
        known.swept = now;
        known.kept.retain(|_, kept| kept.painted + FRAMES >= now);
    }
    let kept = known.kept.entry(key).or_insert_with(|| Kept {
        _picture: picture.clone(),
        texture: picture::pixels(picture, longest).map(|pixels| {
            let size = [pixels.width() as usize, pixels.height() as usize];
            let image = ColorImage::from_rgba_unmultiplied(size, pixels.as_raw());
            let name = picture.path().to_owned();
            ctx.load_texture(name, image, TextureOptions::LINEAR)
        }),
        painted: now,
    });
    kept.painted = now;
    kept.texture.as_ref().map(TextureHandle::id)
}
