// Package audience delivers the events of one conversation to any number of windows.
//
// A window reads at its own pace. Its queue is bounded: a window that falls too far behind loses
// its queue and receives the whole conversation again at its next read. A later window begins with
// the same record, so nothing is lost or doubled.
package audience
