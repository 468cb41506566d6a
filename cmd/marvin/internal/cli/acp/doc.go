// Package acp serves editors over the Agent Client Protocol.
package acp
