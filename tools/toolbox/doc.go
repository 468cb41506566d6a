// Package toolbox stores the tools of a conversation and finds them.
//
// A Registry contains Marvin's own tools; a Shelf adds tools from other sources. A search finds the
// tools that match a request, and an offer contains the tools that a model gets. Names and
// arguments of other agents' tools are translated to Marvin's.
package toolbox
