// Package github searches GitHub, clones and reads repositories, works with pull requests, and
// watches checks.
//
// With the gh program it uses the user's login; without gh or a login, it uses the public API and
// plain git. Clones are stored as ~/github-clones/OWNER/NAME and appear there only when complete.
// Their content is untrusted: nothing in them runs, and links cannot lead outside them.
//
// Pull requests and checks use "gh api", which has the user's login and returns the documented
// replies in every version of gh. Only github.com and the host in the user's GH_HOST are contacted.
package github
