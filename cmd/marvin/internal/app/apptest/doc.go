// Package apptest gives tests an app of a user with a home, and nothing that answers.
package apptest
