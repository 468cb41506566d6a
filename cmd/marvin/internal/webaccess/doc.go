// Package webaccess lets browsers of other machines use the page of marvin web: the certificate,
// the addresses, the QR code, and the devices that the user let in.
package webaccess
