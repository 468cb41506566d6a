// Package toolbox stores the tools of a conversation and finds them.
//
// A Registry contains Marvin's own tools; a Shelf adds tools from other sources. A search finds the
// tools that match a request, and an offer contains the tools that a model gets. Calls to other
// agents' tools are translated into calls to Marvin's tools.
package toolbox
