// Package webaccess lets browsers on other machines use the page of "marvin web". It provides the
// certificate, the addresses, the QR code and the list of paired devices.
package webaccess
