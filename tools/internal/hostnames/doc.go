// Package hostnames finds web addresses and host names in texts.
package hostnames
