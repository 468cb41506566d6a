// Package batch implements "marvin batch", "marvin worker" and "marvin fleet".
package batch
