// Package config implements "marvin config".
package config
