// Package browser runs the scripts of a page in a real headless Chromium and gives
// back what they made of it.
//
// The browser reaches nothing but a proxy of this one call, see tools/internal/relay:
// what its pages fetch is judged like what a tool fetches.
//
// Decided against: a driver. Chromium prints the document itself (--dump-dom), with
// virtual time instead of a guess how long scripts take; a driver is one more program
// to find, to talk to and to stop. Firefox has no such option, so it is not used.
package browser
