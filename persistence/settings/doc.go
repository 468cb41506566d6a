// Package settings reads config.yaml and changes single settings in it.
//
// If a setting that restricts Marvin cannot be read, Marvin does not start. The package also holds
// the user's servers, hooks, models and themes.
package settings
