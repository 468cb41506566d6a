// Package models implements the commands that list models and log in to providers.
package models
