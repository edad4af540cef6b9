//! Names of what a program consists of: indices into its lists.

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            #[inline]
            pub fn at(self) -> usize { self.0 as usize }
        }
    )*};
}

index! {
    /// Index into [`Program::nodes`].
    NodeId,
    /// Index into [`Program::binders`].
    BinderId,
    /// Index into [`Program::aggregates`].
    AggregateId,
    /// Index into [`Program::cells`].
    Slot,
    /// Index into [`Program::dense`].
    DenseId,
    /// Index into [`Program::places`].
    PlaceId,
    /// Index into [`Program::procs`].
    ProcId,
    /// Index into [`Program::reasons`].
    ReasonId,
    /// Index into [`Program::walks`].
    WalkId,
    /// Index into [`Program::sieves`].
    SieveId
}

/// A run of [`Program::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    pub start: u32,
    pub len: u32,
}

/// Index into [`Program::messages`].
pub type MessageId = u32;

/// Stands in an argument list for what is asked when the action runs.
pub const ASKED: NodeId = NodeId(u32::MAX);
