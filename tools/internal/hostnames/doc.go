// Package hostnames finds web addresses and host names in text.
package hostnames
