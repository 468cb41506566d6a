// Package accounts knows the providers of this user: keys, logins, servers and the models that can be asked.
package accounts
