// Package browser runs the scripts of a page in a real headless browser and returns the resulting
// document.
//
// The browser can connect only to a proxy that Marvin starts for each call (see
// tools/internal/relay). The proxy treats the browser's requests like requests from tools.
//
// With --dump-dom, Chromium prints the document. It runs scripts in virtual time, so Marvin need
// not estimate how long scripts take. Firefox is controlled through its own protocol, Marionette.
// Firefox is supported because it is the only browser on a fresh Debian, Fedora or Mint desktop.
//
// The package avoids chromedriver and geckodriver, which Marvin would have to find, control and
// stop.
package browser
