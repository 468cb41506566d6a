// Package hostnames finds addresses and names of hosts in texts.
package hostnames
