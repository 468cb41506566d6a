// Package browser runs the scripts of a page in a real headless browser and returns the resulting
// document.
//
// The browser reaches only a proxy made for this call (see tools/internal/relay). The browser's
// requests follow the rules for a tool's requests.
//
// Chromium prints the document itself (--dump-dom) and runs scripts in virtual time, so Marvin need
// not estimate how long scripts take. Firefox is controlled through Marionette, its own protocol.
// Firefox is supported (263 lines), because it is the only browser on a fresh Debian, Fedora or Mint
// desktop.
//
// chromedriver and geckodriver are not used. They are additional programs that Marvin would have to
// find, control and stop.
package browser
