// Package audience delivers the events of one conversation to any number of windows.
//
// Each window reads at its own speed. Its queue is bounded: a window that falls too far behind
// loses its queue and receives the whole conversation again at its next read. A window that opens
// later begins with the same record, so no event is lost or sent twice.
package audience
