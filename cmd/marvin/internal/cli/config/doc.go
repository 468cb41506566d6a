// Package config has the command about settings.
package config
