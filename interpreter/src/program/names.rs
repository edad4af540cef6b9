//! Names of what a program consists of: indices into its lists.

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// Its number, to index with.
            #[inline]
            pub fn at(self) -> usize { self.0 as usize }
        }
    )*};
}

index! {
    /// Index into [`Flat::nodes`].
    NodeId,
    /// Index into [`Flat::binders`].
    BinderId,
    /// Index into [`Flat::aggregates`].
    AggregateId,
    /// Index into [`Flat::cells`].
    Slot,
    /// Index into [`Flat::dense`].
    DenseId,
    /// Index into [`Flat::places`].
    PlaceId,
    /// Index into [`Flat::procs`].
    ProcId,
    /// Index into [`Flat::reasons`].
    ReasonId,
    /// Index into [`Flat::walks`].
    WalkId,
    /// Index into [`Flat::sieves`].
    SieveId,
    /// Index into [`Flat::ledgers`].
    LedgerId
}

/// A run of [`Flat::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    pub start: u32,
    pub len: u32,
}

/// Index into [`Flat::messages`].
pub type MessageId = u32;

/// Stands in an argument list for what is asked when the action runs.
pub const ASKED: NodeId = NodeId(u32::MAX);
