// Package edit contains the code shared by all tools that change files. These tools show users a
// diff, and most of them refuse stale files (see [tools.Stamps.Stale]).
package edit
