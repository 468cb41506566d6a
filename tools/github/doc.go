// Package github searches GitHub, clones and reads repositories, works with pull requests, and
// watches checks.
//
// If gh is installed and logged in, the package uses the user's login. Otherwise it searches with
// the public API and clones with plain git. Clones are stored as ~/github-clones/OWNER/NAME and
// appear there only when complete. The content of a clone is untrusted: nothing in it runs, and
// links cannot lead out of it.
//
// Pull requests and checks use "gh api", which has the user's login and returns the documented
// replies in every version of gh. Only github.com and the host in the user's GH_HOST are contacted.
package github
