// Package recipes searches TheMealDB for recipes.
package recipes
