// Package window runs conversations that can continue without a terminal and have several windows.
package window
