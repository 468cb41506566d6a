// Package accounts manages the user's providers, keys, logins, servers and models.
package accounts
