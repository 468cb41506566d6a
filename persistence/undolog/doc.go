// Package undolog keeps what files held before tools changed them, so that changes can be undone.
package undolog
