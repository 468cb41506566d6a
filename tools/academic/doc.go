// Package academic searches Semantic Scholar and arXiv for scientific papers.
//
// Both services work without a key. All users who have no key for Semantic Scholar share one rate
// limit, so the package repeats a request once after status 429.
package academic
