// Package audience delivers the events of one conversation to any number of windows.
//
// Each window reads at its own speed from a bounded queue. A window that falls too far behind loses
// its queue, and its next read returns the whole conversation again. A window that opens later also
// begins with the whole conversation, so no event is lost or sent twice.
package audience
