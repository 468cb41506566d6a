// Package browser runs the scripts of a page in a real headless browser and gives
// back what they made of it.
//
// The browser reaches nothing but a proxy of this one call, see tools/internal/relay:
// what its pages fetch is judged like what a tool fetches.
//
// Chromium prints the document itself (--dump-dom), with virtual time instead of a guess
// how long scripts take. Firefox is driven through Marionette, the protocol that it
// speaks itself.
//
// Decided against: chromedriver and geckodriver, which are one more program each to
// find, to talk to and to stop.
package browser
