// Package audience hands the events of one conversation to any number of windows.
//
// A window reads at its own pace. What waits for it is bounded: a window that falls too far
// behind loses its queue, and is told the whole conversation again when it reads next. A
// window that opens later begins with the same record, so that nothing is lost or doubled.
package audience
