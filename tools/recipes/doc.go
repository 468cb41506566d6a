// Package recipes finds recipes in TheMealDB, with the key that it gives to everybody.
package recipes
