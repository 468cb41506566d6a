// Package settings reads config.yaml and changes individual settings in it. It also handles the
// user's servers, hooks, models and themes.
//
// If a setting that restricts Marvin cannot be read, Marvin does not start.
package settings
