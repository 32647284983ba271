-- Run once as an administrator of PostgreSQL: psql -v password="'...'" -f postgres-init.sql
-- After the loss of a database on the same server, "role already exists" is no fault.
-- The role has only the privileges that the program needs: no superuser, no other database.
create role public_reviews login password :password;
create database public_reviews template template0 encoding 'UTF8';
revoke all on database public_reviews from public;
-- Imports stage their rows in temporary tables; of many businesses each has a schema.
grant connect, temporary, create on database public_reviews to public_reviews;
\connect public_reviews
revoke all on schema public from public;
-- The program creates and migrates its own tables.
grant usage, create on schema public to public_reviews;
