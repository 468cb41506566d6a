// Package acp serves editors by the Agent Client Protocol.
package acp
