//! Static graphs, and the one view of a network that walks need.

use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::unionfind::UnionFind;

use super::{LinkId, NodeId, bits};

/// One way over a link, as seen from the node it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The place it leads to.
    pub to: NodeId,
    /// The link it goes along.
    pub link: LinkId,
    /// Direction number, `side` of the language. Two steps run straight on if their sides are equal. In a graph no two
    /// arcs share a side.
    pub side: u32,
    /// The gate by which `here` is left: a port of a tile, a side of a lattice, the link itself in a graph.
    pub gate: u32,
    /// The gate by which `to` is entered. A step whose `gate` is the last step's `entry` goes straight back.
    pub entry: u32,
}

/// A network as walks see it: arcs numbered through, those of one node lying together in canonical order.
pub trait Adjacency {
    /// Places, numbered from 0.
    fn node_count(&self) -> u32;
    /// Links, numbered from 0.
    fn link_count(&self) -> u32;
    /// Ways along links: one or two a link.
    fn arc_count(&self) -> u32;
    /// The numbers of the arcs that leave `node`; inactive ones are among them.
    fn arcs_of(&self, node: NodeId) -> std::ops::Range<u32>;
    /// One of them by its number, from 0.
    fn arc(&self, index: u32) -> Arc;
    /// Whether `link` exists now.
    fn is_active(&self, link: LinkId) -> bool;
}

/// Compact adjacency: the arcs of node `n` are `arcs[first[n]..first[n + 1]]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArcList {
    pub(crate) first: Vec<u32>,
    pub(crate) arcs: Vec<Arc>,
    pub(crate) links: u32,
}

impl ArcList {
    pub(crate) fn range(&self, node: NodeId) -> std::ops::Range<u32> {
        self.first[node.index()]..self.first[node.index() + 1]
    }

    pub(crate) fn of(&self, node: NodeId) -> &[Arc] {
        let range = self.range(node);
        &self.arcs[range.start as usize..range.end as usize]
    }
}

/// Nodes and links that never change; which links are active is told with each query.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(crate) list: ArcList,
    ends: Vec<(NodeId, NodeId)>,
    component: Vec<u32>,
    petgraph: UnGraph<(), LinkId>,
}

impl Graph {
    /// Builds the graph of `nodes` nodes with `links[i]` joining its two nodes as link `i`. Parallel links and links
    /// from a node to itself are allowed. Both ends must be below `nodes`.
    pub fn new(nodes: u32, links: &[(NodeId, NodeId)]) -> Graph {
        let mut petgraph = UnGraph::with_capacity(nodes as usize, links.len());
        for _ in 0..nodes {
            petgraph.add_node(());
        }
        let mut joined = UnionFind::new(nodes as usize);
        for (link, &(a, b)) in (0..).map(LinkId).zip(links) {
            let (a, b) = (NodeIndex::new(a.index()), NodeIndex::new(b.index()));
            petgraph.add_edge(a, b, link);
            joined.union(a.index(), b.index());
        }
        Graph {
            list: arc_list(nodes, links),
            ends: links.to_vec(),
            component: joined
                .into_labeling()
                .into_iter()
                .map(|l| l as u32)
                .collect(),
            petgraph,
        }
    }

    /// Nodes are counted from 0.
    pub fn node_count(&self) -> u32 {
        self.component.len() as u32
    }

    /// Links are counted from 0.
    pub fn link_count(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The two ends of `link`, as given.
    pub fn ends(&self, link: LinkId) -> (NodeId, NodeId) {
        self.ends[link.index()]
    }

    /// The arcs that leave `node`, in link order; a link from a node to itself is listed once.
    pub fn arcs(&self, node: NodeId) -> &[Arc] {
        self.list.of(node)
    }

    /// Whether `a` and `b` are joined when every link is active: a static fact, and a quick "no" for every mask.
    pub fn could_join(&self, a: NodeId, b: NodeId) -> bool {
        self.component[a.index()] == self.component[b.index()]
    }

    /// Shortest distances between all nodes over all links, a link counting `length(link)`. For load time: it allocates.
    pub fn distances(&self, mut length: impl FnMut(LinkId) -> u32) -> Distances {
        let nodes = self.node_count();
        let lengths: Vec<u32> = (0..self.link_count()).map(|l| length(LinkId(l))).collect();
        let mut all = Vec::with_capacity(nodes as usize * nodes as usize);
        for from in 0..nodes {
            let start = NodeIndex::new(from as usize);
            let reached = dijkstra(&self.petgraph, start, None, |edge| {
                lengths[edge.weight().index()]
            });
            all.extend((0..nodes).map(|to| {
                let to = NodeIndex::new(to as usize);
                reached.get(&to).copied().unwrap_or(u32::MAX)
            }));
        }
        Distances { nodes, all }
    }

    /// The graph with only the links in `active`, for walks.
    pub fn masked<'a>(&'a self, active: &'a [u32]) -> Masked<'a> {
        Masked {
            graph: self,
            active,
        }
    }
}

fn arc_list(nodes: u32, links: &[(NodeId, NodeId)]) -> ArcList {
    let mut first = vec![0; nodes as usize + 1];
    for &(a, b) in links {
        first[a.index() + 1] += 1;
        if a != b {
            first[b.index() + 1] += 1;
        }
    }
    for node in 0..nodes as usize {
        first[node + 1] += first[node];
    }
    let nowhere = Arc {
        to: NodeId(0),
        link: LinkId(0),
        side: 0,
        gate: 0,
        entry: 0,
    };
    let mut arcs = vec![nowhere; first[nodes as usize] as usize];
    let mut fill = first.clone();
    for (link, &(a, b)) in (0..).zip(links) {
        let mut put = |from: NodeId, to: NodeId, side: u32| {
            arcs[fill[from.index()] as usize] = Arc {
                to,
                link: LinkId(link),
                side,
                gate: link,
                entry: link,
            };
            fill[from.index()] += 1;
        };
        put(a, b, 2 * link);
        if a != b {
            put(b, a, 2 * link + 1);
        }
    }
    ArcList {
        first,
        arcs,
        links: links.len() as u32,
    }
}

/// Distances between all pairs of nodes, from [`Graph::distances`].
#[derive(Clone, Debug)]
pub struct Distances {
    nodes: u32,
    all: Vec<u32>,
}

impl Distances {
    /// From `a` to `b`; `None` if no links lead there.
    pub fn between(&self, a: NodeId, b: NodeId) -> Option<u32> {
        let length = self.all[(a.0 * self.nodes + b.0) as usize];
        (length != u32::MAX).then_some(length)
    }
}

/// A graph under a mask of active links.
#[derive(Clone, Copy)]
pub struct Masked<'a> {
    graph: &'a Graph,
    active: &'a [u32],
}

impl Adjacency for Masked<'_> {
    fn node_count(&self) -> u32 {
        self.graph.node_count()
    }
    fn link_count(&self) -> u32 {
        self.graph.link_count()
    }
    fn arc_count(&self) -> u32 {
        self.graph.list.arcs.len() as u32
    }
    fn arcs_of(&self, node: NodeId) -> std::ops::Range<u32> {
        self.graph.list.range(node)
    }
    fn arc(&self, index: u32) -> Arc {
        self.graph.list.arcs[index as usize]
    }
    fn is_active(&self, link: LinkId) -> bool {
        bits::has(self.active, link.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_facts_come_from_all_links() {
        let n = NodeId;
        let graph = Graph::new(5, &[(n(0), n(1)), (n(1), n(2)), (n(0), n(2)), (n(3), n(3))]);
        let far = graph.distances(|l| [1, 2, 9, 1][l.index()]);
        assert_eq!(far.between(n(0), n(2)), Some(3));
        assert_eq!(far.between(n(0), n(4)), None);
        assert!(graph.could_join(n(0), n(2)) && !graph.could_join(n(0), n(3)));
        assert_eq!(graph.arcs(n(3)).len(), 1);
        assert_eq!(
            graph.arcs(n(2)).iter().map(|a| a.to.0).collect::<Vec<_>>(),
            [1, 0]
        );
    }
}
