// Package webaccess gives browsers on other machines access to the page of marvin web: the
// certificate, the addresses, the QR code, and the paired devices.
package webaccess
