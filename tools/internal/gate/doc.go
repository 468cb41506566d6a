// There reports whether the placeholder exists unchanged.
package gate
