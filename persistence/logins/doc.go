// Package logins keeps the keys and tokens that providers, servers and services gave.
package logins
