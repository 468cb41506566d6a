// Package toolbox stores the tools of a conversation and finds them.
//
// A Registry contains Marvin's own tools; a Shelf adds tools from other sources. Search and offers
// select the tools that match a request. Names and arguments of other agents' tools are translated
// to Marvin's.
package toolbox
