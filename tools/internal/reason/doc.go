// Package reason rewords common errors so that they say only what went wrong, without operations,
// addresses or paths. Reworded errors wrap the original ones.
package reason
