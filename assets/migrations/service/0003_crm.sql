-- What the account uses of its CRM limits; a file of usage fills all of it.
CREATE TABLE crm_limits (
    custom_properties       BIGINT NOT NULL,
    calculated_properties   BIGINT NOT NULL,
    custom_object_types     BIGINT NOT NULL,
    custom_object_records   BIGINT NOT NULL,
    custom_object_pipelines BIGINT NOT NULL
);

CREATE TABLE crm_object_types (
    id                    TEXT   PRIMARY KEY NOT NULL,
    -- order in which reports list the types
    position              BIGINT NOT NULL,
    singular_label        TEXT   NOT NULL,
    plural_label          TEXT   NOT NULL,
    property_limit        BIGINT NOT NULL,
    property_usage        BIGINT NOT NULL,
    calculated_properties BIGINT NOT NULL,
    record_usage          BIGINT NOT NULL,
    -- none for a custom type: these share limits of the account
    record_limit          BIGINT,
    -- none for a type without pipelines
    pipeline_usage        BIGINT,
    pipeline_limit        BIGINT
);

CREATE TABLE crm_associations (
    from_type    TEXT   NOT NULL REFERENCES crm_object_types (id),
    to_type      TEXT   NOT NULL REFERENCES crm_object_types (id),
    position     BIGINT NOT NULL,
    label_limit  BIGINT NOT NULL,
    record_limit BIGINT NOT NULL,
    PRIMARY KEY (from_type, to_type)
);

CREATE TABLE crm_association_labels (
    from_type TEXT   NOT NULL,
    to_type   TEXT   NOT NULL,
    position  BIGINT NOT NULL,
    label     TEXT   NOT NULL,
    PRIMARY KEY (from_type, to_type, position),
    FOREIGN KEY (from_type, to_type) REFERENCES crm_associations (from_type, to_type)
);

CREATE TABLE crm_association_records (
    from_type TEXT   NOT NULL,
    to_type   TEXT   NOT NULL,
    object_id BIGINT NOT NULL,
    label     TEXT   NOT NULL,
    usage     BIGINT NOT NULL,
    PRIMARY KEY (from_type, to_type, object_id),
    FOREIGN KEY (from_type, to_type) REFERENCES crm_associations (from_type, to_type)
);
