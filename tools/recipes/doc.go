// Package recipes searches TheMealDB for recipes, with its public key.
package recipes
