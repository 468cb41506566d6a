// Package models has the commands about models and logins of providers.
package models
