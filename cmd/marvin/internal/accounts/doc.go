// Package accounts manages the user's providers: keys, logins, servers and available models.
package accounts
