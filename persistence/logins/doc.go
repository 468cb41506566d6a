// Package logins stores the keys and tokens of providers, servers and services.
package logins
