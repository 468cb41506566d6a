// Package browser runs the scripts of a page in a real headless browser and returns the resulting
// document.
//
// The browser can connect only to a proxy started for this call (see tools/internal/relay). The
// proxy applies the rules for requests by tools to the browser's requests.
//
// Chromium prints the document itself (--dump-dom) and runs scripts in virtual time, so Marvin need
// not estimate how long scripts take. Firefox is controlled through its own protocol, Marionette.
// Supporting it takes 263 lines, but on a fresh Debian, Fedora or Mint desktop, Firefox is the only
// browser.
//
// The package does not use chromedriver or geckodriver, because Marvin would have to find, control
// and stop one more program.
package browser
