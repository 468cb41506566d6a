// Package models implements the commands about models and logins of providers.
package models
